def letters_of(path):
    with open(path) as file:
        return sum(character.isalpha() for character in file.readline())
