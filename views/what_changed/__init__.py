"""What did a release change, and is a quoted number still valid?"""
