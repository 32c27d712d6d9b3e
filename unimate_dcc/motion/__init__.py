"""What is done to a clip once it is there: numpy only."""
