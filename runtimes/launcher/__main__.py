import sys

from wf_launcher.cli import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
