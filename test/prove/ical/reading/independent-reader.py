"""Reads calendars with the Python packages icalendar and recurring-ical-events, which share no code with the product.

Standard input has one JSON object a line: {"text": an iCalendar stream, "zone": the listing's time zone, "spans": [[from, until]]}
with instants in ISO 8601. Each is answered with a line: {"spans": [[occurrence]], "errors": lines that could not be read}, or
{"error": why nothing could be read}. An occurrence that takes time is [from, until] of dates, or [from, until, from, until]:
the wall clock of its own zone, then that of the listing.
"""

import datetime
import json
import signal
import sys
import warnings
from zoneinfo import ZoneInfo

try:
    import icalendar
    import recurring_ical_events
    from icalendar.prop import vDDDLists, vDDDTypes, vRecur
except ImportError:
    sys.exit("Needs: pip install icalendar==7.3.2 recurring-ical-events==3.8.2")

TIMES = ["DTSTART", "DTEND", "RDATE", "EXDATE", "RECURRENCE-ID"]
ONCE = ["DTSTART", "DTEND", "DURATION", "RECURRENCE-ID"]
HOUR = datetime.timedelta(hours=1)
LONGEST_SECONDS = 30


def is_timed(value):
    return isinstance(value, datetime.datetime)


def utc(time):
    return time.astimezone(datetime.timezone.utc)


def placed(value, zone):
    """A floating time in its zone; dates and instants as they are."""
    if isinstance(value, tuple):
        start, end = placed(value[0], zone), placed(value[1], zone)
        exact = isinstance(end, datetime.timedelta) and end.days == 0
        return start, (utc(start) + end).astimezone(start.tzinfo) if exact else end
    return value.replace(tzinfo=zone) if is_timed(value) and value.tzinfo is None else value


def place(event, zone):
    for name in ONCE:
        if isinstance(event.get(name), list):
            event[name] = event[name][0]
    for name in TIMES:
        found = event.get(name)
        if found is None:
            continue
        for prop in found if isinstance(found, list) else [found]:
            if isinstance(prop, vDDDLists):
                for entry in prop.dts:
                    entry.dt = placed(entry.dt, zone)
            elif isinstance(prop, vDDDTypes):
                prop.dt = placed(prop.dt, zone)


def last_moment(until, start, zone):
    """UNTIL in the type of DTSTART: a date is a whole day, an instant of a whole-day series the later of its two dates."""
    if not is_timed(start):
        if not is_timed(until):
            return until
        here = until.astimezone(zone).date() if until.tzinfo else until.date()
        return max(here, until.date())
    if not is_timed(until):
        until = datetime.datetime.combine(until, datetime.time(23, 59, 59))
    if until.tzinfo is None:
        until = until.replace(tzinfo=start.tzinfo)
    return utc(until)


def length(event):
    """A length on the wall clock, which the library adds, and the exact time that it stands for (RFC 5545, 3.3.6)."""
    start, end, duration = event["DTSTART"].dt, event.get("DTEND"), event.get("DURATION")
    if not is_timed(start):
        return None
    if end is not None and is_timed(end.dt) and end.dt.tzinfo != start.tzinfo:
        return [end.dt - start, utc(end.dt) - utc(start)]
    if end is None and duration is not None and duration.dt.days == 0:
        return [duration.dt, duration.dt]
    return None


def names(excluded, moment):
    """Whether an EXDATE and a RECURRENCE-ID name the same occurrence: by date where one of both is a date."""
    if is_timed(excluded) and is_timed(moment):
        return excluded == moment
    return str(excluded)[:10] == str(moment)[:10]


def straighten(event, zone, lengths, replaced):
    start = event["DTSTART"].dt
    known = length(event)
    if known:
        event["X-LENGTH"] = str(len(lengths))
        lengths.append(known)
    # An occurrence that is both excluded and written anew was moved: the library omits it.
    if "RECURRENCE-ID" not in event:
        found = event.get("EXDATE", [])
        for dates in found if isinstance(found, list) else [found]:
            uid = str(event.get("UID"))
            dates.dts = [entry for entry in dates.dts if not any(names(entry.dt, moment) for moment in replaced.get(uid, []))]
    rules = event.get("RRULE")
    for rule in rules if isinstance(rules, list) else [rules] if rules else []:
        if isinstance(rule, vRecur) and "UNTIL" in rule:
            rule["UNTIL"] = [last_moment(until, start, zone) for until in rule["UNTIL"]]


def takes_time(event):
    said = [str(event.get(name, "")).strip().upper() for name in ("STATUS", "TRANSP")]
    return said[0] != "CANCELLED" and said[1] != "TRANSPARENT"


def occurrence(start, end, zone, lengths=None):
    if not is_timed(start) and not is_timed(end):
        return [str(start), str(max(end, start + datetime.timedelta(days=1)))]
    # Where the clocks are set forward, a skipped beginning is later, and the end with it.
    later = utc(start).astimezone(start.tzinfo)
    skipped = later.replace(tzinfo=None) - start.replace(tzinfo=None)
    if skipped > datetime.timedelta(0):
        start, end = later, end + skipped
    if lengths and end.astimezone(start.tzinfo) - start == lengths[0]:
        end = utc(start) + lengths[1]
    if utc(start) == utc(end):
        end = utc(start) + HOUR
    times = [start, utc(end).astimezone(start.tzinfo), utc(start).astimezone(zone), utc(end).astimezone(zone)]
    return [time.replace(tzinfo=None).isoformat() for time in times]


def busy_periods(calendar, zone):
    """VFREEBUSY has its periods written out (RFC 5545, 3.8.2.6)."""
    for component in calendar.walk("VFREEBUSY"):
        found = component.get("FREEBUSY", [])
        for period in found if isinstance(found, list) else [found]:
            if str(period.params.get("FBTYPE", "BUSY")).upper() != "FREE":
                start, end = placed(period.start, zone), placed(period.end, zone)
                yield occurrence(start, end, zone)


def read_calendar(calendar, zone, spans):
    named = calendar.get("X-WR-TIMEZONE")
    try:
        floating = ZoneInfo(str(named).strip()) if named else zone
    except Exception:
        floating = zone
    calendar.pop("X-WR-TIMEZONE", None)
    errors = 0
    lengths = []
    all_events = list(calendar.walk("VEVENT"))
    for event in all_events:
        errors += len(event.errors)
        place(event, floating)
    replaced = {}
    for event in all_events:
        if "RECURRENCE-ID" in event:
            replaced.setdefault(str(event.get("UID")), []).append(event["RECURRENCE-ID"].dt)
    for event in all_events:
        if "DTSTART" in event:
            straighten(event, floating, lengths, replaced)
    always = list(busy_periods(calendar, zone))
    query = recurring_ical_events.of(calendar, skip_bad_series=True, components=["VEVENT"])
    found = []
    for start, until in spans:
        events = [event for event in query.between(start, until) if takes_time(event)]
        taken = []
        for event in events:
            known = lengths[int(event["X-LENGTH"])] if "X-LENGTH" in event else None
            taken.append(occurrence(event["DTSTART"].dt, event["DTEND"].dt, zone, known))
        found.append(taken + always)
    return found, errors


def read(request):
    zone = ZoneInfo(request["zone"])
    spans = [[datetime.datetime.fromisoformat(time) for time in span] for span in request["spans"]]
    found = [[] for _ in spans]
    errors = 0
    for calendar in icalendar.Calendar.from_ical(request["text"].lstrip("\ufeff"), multiple=True):
        more, bad = read_calendar(calendar, zone, spans)
        errors += bad
        for one, other in zip(found, more):
            one.extend(other)
    return {"spans": found, "errors": errors}


def too_long(*_):
    raise TimeoutError(f"takes longer than {LONGEST_SECONDS} s")


warnings.simplefilter("ignore")
signal.signal(signal.SIGALRM, too_long)
for line in sys.stdin:
    signal.alarm(LONGEST_SECONDS)
    try:
        answer = read(json.loads(line))
    except Exception as error:
        answer = {"error": f"{type(error).__name__}: {error}"[:200]}
    signal.alarm(0)
    print(json.dumps(answer), flush=True)
