"""Raspberry Pi Pico with a 64x128 SH1107 panel that lies on its side, and three buttons; UP and DOWN together are BACK.

On the device: /board.py. The display's pins are those of the Pico-OLED-1.3 plug-on module, wired for SPI; its two keys
are UP and DOWN.

    what          Pico              to
    ------------  ----------------  ---------------------------------------
    display VCC   3V3(OUT), pin 36  VCC of the SH1107 display
    display GND   GND, pin 38       GND
    display SCK   GP10, pin 14      CLK (SCK, SCL)
    display MOSI  GP11, pin 15      DIN (MOSI, SDA)
    display CS    GP9, pin 12       CS
    display DC    GP8, pin 11       DC
    display RST   GP12, pin 16      RST (RES)
    UP            GP15, pin 20      a push button to ground
    DOWN          GP17, pin 22      a push button to ground
    OK            GP14, pin 19      a push button to ground
    ground        GND, pin 18       the other side of the buttons
    battery       VSYS, pin 39      its + by a Schottky diode; its - to GND
"""

NAME = "Raspberry Pi Pico, SH1107"
PICO = "pico"
DISPLAY = "sh1107"
ROTATION = 90  # clockwise from upright; 270 the other way round
SPI_ID = 1
SCK = 10
MOSI = 11
CS = 9
DC = 8
RST = 12
SPI_HZ = 4000000
BUTTONS = (15, 17, 14)  # UP, DOWN, OK: the bits of the masks in this order
LED = "LED"
BATTERY_LOW_MV = 3300  # of VSYS, for three AA cells or a LiPo; 2200 for two AA cells
