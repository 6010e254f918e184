"""The window: results, or a running simulation, to look at.

    python3 -m solfec.window out/hopper

Session (session.py) is what there is to see and what is chosen; panels and menus change it and listen to its signals.
View (view.py) draws it with solfec.rendering. All actions are rows of one table (actions.py).
"""
