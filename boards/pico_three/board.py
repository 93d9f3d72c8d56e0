"""Raspberry Pi Pico (also H, W, WH) with three buttons; UP and DOWN together are BACK. On the device: /board.py.

    what          Pico            to
    ------------  --------------  -----------------------------
    display VCC   3V3(OUT), p36   VCC of the SSD1306 module
    display GND   GND, pin 38     GND
    display SDA   GP4, pin 6      SDA (the module has pull-ups)
    display SCL   GP5, pin 7      SCL
    UP            GP10, pin 14    a push button to ground
    DOWN          GP11, pin 15    a push button to ground
    OK            GP12, pin 16    a push button to ground
    ground        GND, pin 18     the other side of the buttons
"""

NAME = "Raspberry Pi Pico, three buttons"
PICO = "pico"  # the name of the Pico in its SDK: a MicroPython image says for which it is made
I2C_ID = 0
SDA = 4
SCL = 5
I2C_HZ = 400000
DISPLAY_ADDRESS = 0x3C
BUTTONS = (10, 11, 12)  # UP, DOWN, OK: the bits of the masks in this order
LED = "LED"
