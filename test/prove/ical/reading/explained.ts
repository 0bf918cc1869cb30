/** Files of public libraries in which the two readers differ, by the end of their path, and why that is right (D114). */
export const explained: Readonly<Record<string, string>> = {
  'test/fixtures/test_with_multiple_tzids_in_vtimezone.ics':
    'a VTIMEZONE with two TZIDs stops the other reader; ours takes the day of the event',
  'samples/timezones/Makebelieve/RDATE_test.ics':
    'no event; an RDATE of a VTIMEZONE with VALUE=DATE stops the other reader',
  'samples/timezones/Makebelieve/RDATE_utc_test.ics':
    'no event; an RDATE of a VTIMEZONE with VALUE=DATE stops the other reader',
  'test/parser/base64.ics': 'no event; an attachment that is no base64 stops the other reader',
  'benchmark/issue42.ics':
    'it describes Europe/Lisbon with the hours of Berlin; ours goes by the name, the other reader by the description',
  'docs/tutorials/example.ics':
    'two events with one UID and no SEQUENCE: ours takes the time of both, the other reader of one',
  'tests/calendars/issue_104_broken_calendar.ics':
    'a line without a colon stops the other reader; ours takes the event',
  'tests/calendars/parsing_error.ics': 'an empty EXDATE stops the other reader; ours excludes nothing',
  'tests/calendars/parsing_error_in_UTC_offset.ics':
    'no event; an offset of 57 hours in a VTIMEZONE stops the other reader',
};
