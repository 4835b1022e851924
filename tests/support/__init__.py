"""What tests share: other programs that compute or read what the generator wrote."""
