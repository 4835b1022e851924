"""Sheet shares: the attention of the own token adds up to one."""

from generator.sheets.kind import Kind

KIND = Kind(order=55, slug="shares", board="tokens")
