"""The parts of Streamlit's own page that tests read, by their selectors."""

APP = ".stApp"
PANEL = f"{APP} .panel"
GROUND = f"getComputedStyle(document.querySelector('{APP}')).backgroundColor"
"""JavaScript for the colour behind the page."""


def part(name: str) -> str:
    """Return the selector of a part of Streamlit's page by its test id."""
    return f'[data-testid="{name}"]'


SETTLED = f'{part("stApp")}[data-test-script-state="notRunning"]'
MAIN = part("stMain")
ALERT = part("stAlert")
CODE = part("stCode")
EXCEPTION = part("stException")
SKELETON = part("stSkeleton")
FILE_CHOOSER = f'{part("stPopoverBody")} input[type="file"]'
KEYED = '[class*="st-key-"]'
"""A part that our server gave a key."""
KEEPER = ".st-key-keeper"
SLIDE_LINK = f'[class*="st-key-slide-"] {part("stMarkdown")} a'
