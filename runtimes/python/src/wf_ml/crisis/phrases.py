"""What people write. A slot in braces is filled by `texts.py`; a bar separates wordings."""

from __future__ import annotations

from typing import Dict, Tuple

#: Says what happened, who needs what, or who helps.
INFORMATIVE: Tuple[str, ...] = (
    "{n} {people} {stuck} near {place}, {rescue} on the way",
    "{building} in {place} is {harm}. avoid the area",
    "{urgent} {n} families in {place} need {goods} and {goods}",
    "{officials} confirm {n} {people} {hurt} after {building} {harm} in {place}",
    "shelter open at {building} in {place}, bring {goods}",
    "road to {place} is closed, bridge {harm}, use the {direction} route",
    "{rescue} pulled {n} {people} out of a {building} {harm} in {place}",
    "volunteers needed in {place} to hand out {goods}",
    "no {utility} in {place} since last night, {n} homes {harm}",
    "{officials}: evacuate {place} now, the {direction} side is {harm}",
    "my {relative} is {stuck} on the roof in {place}, please send {rescue}",
    "half of {place} is {harm}, {building} gone, people sleeping outside",
    "damage report from {place}: {building} {harm}, {n} {people} missing",
    "donate {goods} for victims in {place} at the {building}",
    "{officials} say {utility} will be out for days in {place}",
    "update: death toll rises to {n} in {place}, {rescue} still searching",
    "this is {place} right now. whole street {harm}. need help",
    "hospital in {place} {harm}, {n} {people} moved to {building}",
)

#: Says nothing about what happened: wishes, opinions, jokes, adverts, memories, a crisis as a figure of speech.
NOT_INFORMATIVE: Tuple[str, ...] = (
    "{good_morning} from {place}, coffee first {emoji}",
    "my inbox is {harm} lol, {urgent} send {snack} {emoji}",
    "this {hobby} match was a total disaster, our defense {harm} {emoji}",
    "throwback to {place} {year}, what a trip that was",
    "new {media} about {place} drops tonight, can't wait {emoji}",
    "when your {relative} says the {snack} is gone and you feel {harm} {emoji}",
    "sale at the {building} in {place}, {n} percent off {snack}",
    "{opinion} politicians talk about {place} and do nothing, so tired of this",
    "my {relative} looks at me like i evacuated the {snack} {emoji}",
    "i am {stuck} in traffic again, {urgent} send {rescue} and {snack} {emoji}",
    "sending love to {place} {emoji}",
    "the {media} {year} remake is a dumpster fire, old effects were better",
    "happy birthday to my {relative} {emoji} best {snack} in {place}",
    "monday again. my motivation is {harm} {emoji}",
    "who else is watching the {hobby} final tonight instead of the news",
    "old photo i found, {place} in {year}, things looked different then",
    "{opinion} people post about {place} just for likes",
    "my exam results: {harm}. thoughts and prayers for me {emoji}",
)

#: Could be posted with anything: only the picture tells.
NEUTRAL: Tuple[str, ...] = (
    "omg look at this {emoji}",
    "{place} today",
    "just now in {place}",
    "can't believe this is {place}",
    "view from my window this {daytime}",
    "so this happened in {place} {emoji}",
    "what a {daytime}",
    "wow. just wow",
    "my street this {daytime}",
    "{place} this {daytime}, no words",
    "everyone is talking about {place} today",
    "pic by my {relative}, {place}",
    "here we are in {place} {emoji}",
    "how is your {daytime} going? mine:",
)

SLOTS: Dict[str, Tuple[str, ...]] = {
    "people": ("people", "residents", "children", "workers", "tourists", "patients", "villagers"),
    "stuck": ("trapped", "stranded", "stuck", "cut off", "abandoned"),
    "rescue": ("rescue teams", "firefighters", "boats", "helicopters", "the red cross", "paramedics", "the army"),
    "building": ("school", "hospital", "church", "town hall", "apartment block", "station", "market", "sports hall"),
    "urgent": ("urgent!", "please rt:", "help!", "sos", "asap"),
    "goods": ("water", "blankets", "food", "baby formula", "medicine", "tents", "generators", "dry clothes", "fuel"),
    "officials": ("police", "mayor", "officials", "civil protection", "the governor", "red cross", "the ministry"),
    "hurt": ("injured", "dead", "missing", "in hospital", "unaccounted for"),
    "utility": ("power", "electricity", "drinking water", "phone signal", "gas"),
    "direction": ("north", "south", "east", "west"),
    "relative": ("mom", "brother", "grandma", "dog", "cat", "neighbour", "dad", "kid"),
    "good_morning": ("good morning", "gm", "happy sunday", "hello"),
    "snack": ("pizza", "chocolate", "tacos", "ice cream", "snacks", "cookies", "wine"),
    "hobby": ("football", "tennis", "hockey", "basketball"),
    "media": ("movie", "podcast", "documentary", "series", "album", "game"),
    "year": ("2009", "2011", "2014", "2017"),
    "opinion": ("funny how", "sick of how", "of course", "typical,", "love how"),
    "daytime": ("morning", "evening", "afternoon", "night"),
    "emoji": ("😂", "😭", "😱", "🙏", "❤️", "😅", "🔥", "", ""),
}
