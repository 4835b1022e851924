"""The bytes of all that the command writes, frozen: whoever moves walls sees what shifted."""
