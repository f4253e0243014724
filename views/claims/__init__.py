"""Which published claims about the gap are supported?"""
