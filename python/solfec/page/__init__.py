"""A scene in a web browser: python3 -m solfec.page RESULTS

command.py     the command and its options
server.py      serves the page on this machine alone
scene_data.py  what the page asks for, as messages: the model, frames, fields, contacts
model_data.py  definitions of bodies, each distinct shape once
message.py     arrays in a message
standalone.py  one file with everything in it (--out)
assets/        the page: one file per concern, as the browser reads it
"""


def main(arguments=None):
    """The command: its exit code."""
    from solfec.page import command
    return command.main(arguments)
