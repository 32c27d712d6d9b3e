"""TADiT: the network that turns a prompt and a skeleton into motion.

One axis alphabet for the whole package:

    B  clips of a batch
    T  frames of a clip, 30 per second
    F  tokens in time: the rest pose first, then the frames
    J  joints, parents before children, the root first
    C  features of one joint in one frame (12: position, 6D rotation, velocity)
    L  text tokens
    H  attention heads
    D  width of a token

Only this package imports torch and transformers, and only inside its modules.
"""
