"""Small answers leave at once: the listening socket is changed not to wait for more to send.

Streamlit opens its socket in a way that asyncio does not recognize as TCP, so each answer whose head and
body are sent apart waits for the reader's delayed acknowledgement: 40 ms on Linux (RFC 896; RFC 1122,
section 4.2.3.2). Connections take the option over from the socket they come in by.
"""

import os
import socket
import stat

MOST_FILES = 1024


def send_at_once() -> int:
    """Return how many listening sockets of this process now send without delay."""
    changed = 0
    for number in range(MOST_FILES):
        try:
            if not stat.S_ISSOCK(os.fstat(number).st_mode):
                continue
            with socket.socket(fileno=os.dup(number)) as listening:
                tcp = listening.family in (socket.AF_INET, socket.AF_INET6)
                if tcp and listening.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN):
                    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                    changed += 1
        except OSError:
            continue
    return changed
