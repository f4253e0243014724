"""Where does the growth of training compute come from?"""
