"""Raspberry Pi Pico with three buttons; UP and DOWN together are BACK. On the device: /board.py.

    what         Pico              to
    -----------  ----------------  ---------------------------------------
    display VCC  3V3(OUT), pin 36  VCC of the SSD1306 display
    display GND  GND, pin 38       GND
    display SDA  GP4, pin 6        SDA (the module has pull-ups)
    display SCL  GP5, pin 7        SCL
    UP           GP10, pin 14      a push button to ground
    DOWN         GP11, pin 15      a push button to ground
    OK           GP12, pin 16      a push button to ground
    ground       GND, pin 13       the other side of the buttons
    battery      VSYS, pin 39      its + by a Schottky diode; its - to GND
"""

NAME = "Raspberry Pi Pico, three buttons"
PICO = "pico"
DISPLAY = "ssd1306"
I2C_ID = 0
SDA = 4
SCL = 5
I2C_HZ = 400000
DISPLAY_ADDRESS = 0x3C  # 0x3D is tried too
BUTTONS = (10, 11, 12)  # UP, DOWN, OK: the bits of the masks in this order
LED = "LED"
BATTERY_LOW_MV = 3300  # of VSYS, for three AA cells or a LiPo; 2200 for two AA cells
