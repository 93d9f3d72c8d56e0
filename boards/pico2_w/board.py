"""Raspberry Pi Pico 2 W (also Pico 2 WH) with a 0.96" SSD1306 module and four buttons. On the device: /board.py.

    what         Pico              to
    -----------  ----------------  -----------------------------
    display VCC  3V3(OUT), pin 36  VCC of the SSD1306 display
    display GND  GND, pin 38       GND
    display SDA  GP4, pin 6        SDA (the module has pull-ups)
    display SCL  GP5, pin 7        SCL
    UP           GP10, pin 14      a push button to ground
    DOWN         GP11, pin 15      a push button to ground
    OK           GP12, pin 16      a push button to ground
    BACK         GP13, pin 17      a push button to ground
    ground       GND, pin 18       the other side of the buttons

The supply is not sensed: the pin for it is the clock of the radio chip.
"""

NAME = "Raspberry Pi Pico 2 W"
PICO = "pico2_w"
DISPLAY = "ssd1306"
I2C_ID = 0
SDA = 4
SCL = 5
I2C_HZ = 400000
DISPLAY_ADDRESS = 0x3C  # 0x3D is tried too
BUTTONS = (10, 11, 12, 13)  # UP, DOWN, OK, BACK: the bits of the masks in this order
LED = "LED"  # by name: on the W boards it hangs on the radio chip
