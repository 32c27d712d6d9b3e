"""What a character is: which joints to drive, what they are called, where it faces and stands. numpy only."""
