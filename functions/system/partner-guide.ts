/** A step of the guide: what it is for, and what to type. */
interface GuideStep {
  title: string;
  text: string;
  sh: string;
}

/** A shell variable, or a default where it is unset. */
const orElse = (name: string, value: string): string => `\${${name}:-${value}}`;

/** A partner's way from the key to a customer's booking. A test takes these lines from the document and runs them. */
const partnerSteps: readonly GuideStep[] = [
  {
    title: 'Your key',
    text: 'An owner of your team gives you an API key, or the operator one for several teams. It stays in your back end. For a deployed stage set `API_URL` and `API_KEY` first; on a laptop both are read from the file that `npm start` writes.',
    sh: String.raw`ready() { sed -n 's/.*"'"$1"'": *"\([^"]*\)".*/\1/p' "${orElse('LOCAL_DIR', '.local')}/ready.json"; }
API=${orElse('API_URL', '$(ready api_url)')}
KEY=${orElse('API_KEY', '$(ready api_key)')}
EMAIL=binh-$(date +%s)@example.com
PASSWORD=Dalat-2027
in_days() { date -u -d "+$1 days" +%F 2>/dev/null || date -u -v "+$1d" +%F; }
day_after() { date -u -d "$1 + 1 day" +%F 2>/dev/null || date -u -j -v+1d -f %F "$1" +%F; }
call() { curl -sS -X "$1" "$API$2" -H 'Content-Type: application/json' -H "X-API-Key: $KEY" -d "$3"; }
field() { sed -n 's/.*"'"$1"'":"*\([^",}]*\).*/\1/p'; }`,
  },
  {
    title: 'What there is to rent',
    text: 'Every list answers `items`, `total` and `next_cursor`. The three `X-RateLimit` headers say what is left of the minute. The availability of a listing names the nights that can be booked; here the first one from two months ahead.',
    sh: String.raw`curl -sSi "$API/api/v1/external/listings?limit=1" -H "X-API-Key: $KEY" | grep -i '^x-ratelimit'
LISTING=$(curl -sS "$API/api/v1/external/listings?limit=1" -H "X-API-Key: $KEY" | sed 's/^{"items":\[{"id":\([0-9]*\).*/\1/')
CHECK_IN=$(curl -sS "$API/api/v1/external/listings/$LISTING/availability?start_date=$(in_days 60)&end_date=$(in_days 365)" -H "X-API-Key: $KEY" | tr '{' '\n' | grep '"available":true' | head -n 1 | sed 's/.*"date":"\([^"]*\)".*/\1/')
CHECK_OUT=$(day_after "$CHECK_IN")`,
  },
  {
    title: 'Register a customer',
    text: 'The account is made at the identity provider, which mails a link, and in every team of your key. With an `Idempotency-Key` a lost answer can be asked for again.',
    sh: String.raw`USER_ID=$(call POST /api/v1/external/customers/register '{"email":"'$EMAIL'","full_name":"Trần Thị Bình","phone":"+84 912 345 678","password":"'$PASSWORD'"}' | field user_id)
call GET /api/v1/external/customers/$USER_ID/login-status`,
  },
  {
    title: 'The e-mail has to be verified before booking',
    text: 'Until then a login is refused with 403 `EMAIL_NOT_VERIFIED`, and a confirm with a token got elsewhere with 403 `USER_NOT_VERIFIED`. Both carry `action_required: VERIFY_EMAIL`; `resend-verification` has the link mailed again, three times an hour at most.',
    sh: String.raw`call POST /api/v1/external/customers/login '{"email":"'$EMAIL'","password":"'$PASSWORD'"}'`,
  },
  {
    title: 'The customer opens the link',
    text: 'On a laptop the mail is in the mailbox of the home page.',
    sh: String.raw`LINK=$(curl -sS "$API/_local/mailbox.json" | grep -o "\"to\":\"$EMAIL\".*" | grep -o '"links":\["[^"]*' | head -n 1 | sed 's/.*"//')
curl -sS "$LINK" > /dev/null
call GET /api/v1/external/customers/$USER_ID/email-verification`,
  },
  {
    title: 'Log in',
    text: 'The answer holds the access token, good for 24 hours. Keep it in your back end; there is no refresh: log in again when it has expired.',
    sh: String.raw`TOKEN=$(call POST /api/v1/external/customers/login '{"email":"'$EMAIL'","password":"'$PASSWORD'"}' | field access_token)
as_customer() { curl -sS -X "$1" "$API$2" -H 'Content-Type: application/json' -H "Authorization: Bearer $TOKEN" -H "Idempotency-Key: $1-$2-$EMAIL" -d "$3"; }`,
  },
  {
    title: 'Hold the nights, then confirm',
    text: 'The hold keeps the nights and the price for 15 minutes. The confirm is all or nothing, and safe to repeat with the same `Idempotency-Key`.',
    sh: String.raw`STAY='{"listing_id":'$LISTING',"check_in_date":"'$CHECK_IN'","check_out_date":"'$CHECK_OUT'","guest_number":1}'
CHECKOUT=$(as_customer POST /api/v1/checkout '{"items":['$STAY']}' | field checkout_id)
as_customer POST /api/v1/checkout/confirm '{"checkout_id":'$CHECKOUT',"payment_method":"CASH"}'`,
  },
  {
    title: 'See what your customers booked',
    text: 'Bookings of your teams, made by any caller; `user_id` narrows them to one customer.',
    sh: String.raw`call GET "/api/v1/external/bookings?user_id=$USER_ID"
as_customer POST /api/v1/auth/logout`,
  },
];

const fence = '```';

/** The guide as Markdown: part of the documentation page. */
export const partnerGuide = (): string =>
  [
    '## From the key to the first booking',
    'Eight steps for a partner’s back end; the commands run as printed, against a laptop or a deployed stage.',
    ...partnerSteps.map(({ title, text, sh }, at) =>
      [`### ${at + 1}. ${title}`, text, `${fence}sh\n${sh}\n${fence}`].join('\n\n'),
    ),
  ].join('\n\n');
