import { pageWords } from './words.ts';

/**
 * What the page does, over the routes of guests' links alone: it shows the stay of the token behind the `#`, and what its guest can
 * do with it now. Texts of others are set as text, never as markup.
 */
export const pageScript = `'use strict';
const words = ${JSON.stringify(pageWords)};
const main = document.querySelector('main');
const api = location.origin + location.pathname.replace(/\\/g$/, '') + '/api/v1/guest/';
const token = location.hash.slice(1);
let language = (navigator.language || '').toLowerCase().startsWith('vi') ? 'vi' : 'en';
let stay;
const say = (name) => (Object.hasOwn(words[language], name) ? words[language][name] : name);
const add = (parent, tag, text, extra) => {
  const made = document.createElement(tag);
  if (text !== undefined) made.textContent = text;
  Object.assign(made, extra);
  parent.append(made);
  return made;
};
const money = (amount) =>
  new Intl.NumberFormat(language, { style: 'currency', currency: stay.currency }).format(amount);
const local = (text, timeZone = 'UTC') =>
  new Date(timeZone === 'UTC' ? text.slice(0, 16) + 'Z' : text).toLocaleString(language, {
    timeZone, weekday: 'short', day: 'numeric', month: 'long', year: 'numeric', hour: '2-digit', minute: '2-digit',
  });
const instant = (text) => local(text, stay.timezone);
const ask = async (path, body, key) => {
  const headers = { Authorization: 'Guest ' + token };
  if (body) headers['Content-Type'] = 'application/json';
  if (key) headers['Idempotency-Key'] = key;
  const reply = await fetch(api + path, {
    method: body || key ? 'POST' : 'GET', headers, body: body && JSON.stringify(body), cache: 'no-store',
    referrerPolicy: 'no-referrer',
  });
  if (!reply.ok) throw await reply.json().catch(() => ({}));
  return reply;
};
const json = async (...asked) => (await ask(...asked)).json();
const reasonOf = ({ code, details }) =>
  code === 'FORBIDDEN' && details?.tries_left !== undefined
    ? say(details.tries_left > 0 ? 'wrongDigits' : 'noTries')
    : Object.hasOwn(words[language], code ?? '') ? say(code) : say('failed');
const section = (title) => {
  const made = add(main, 'section');
  add(made, 'h2', say(title));
  return made;
};
/** A name that others have given is shown as it is. */
const facts = (parent, rows) => {
  const list = add(parent, 'dl');
  for (const [name, value, given] of rows)
    if (value !== null && value !== undefined && value !== '') {
      add(list, 'dt', given ? name : say(name));
      add(list, 'dd', String(value));
    }
};
const form = (parent, act, label) => {
  const made = add(parent, 'form');
  const fields = add(made, 'div');
  const button = add(made, 'button', say(label), { type: 'submit' });
  const alert = add(made, 'p');
  alert.setAttribute('role', 'alert');
  let key = crypto.randomUUID();
  made.addEventListener('input', () => (key = crypto.randomUUID()));
  made.addEventListener('submit', async (event) => {
    event.preventDefault();
    button.disabled = true;
    alert.textContent = '';
    try {
      await act(Object.fromEntries(new FormData(made)), key);
      key = crypto.randomUUID();
    } catch (error) {
      alert.textContent = reasonOf(error);
      // What was answered is not asked for again; what got no answer is.
      if (error.code) key = crypto.randomUUID();
    }
    button.disabled = false;
  });
  return fields;
};
const field = (parent, label, name, extra, tag = 'input') => {
  const holder = add(parent, 'label', say(label));
  return add(holder, tag, undefined, { name, required: true, ...extra });
};
const showStay = () => {
  const made = section('stay');
  const { host_info: host } = stay;
  facts(made, [
    ['booking', stay.id], ['state', say(stay.state)], ['guest', stay.guest_info.full_name],
    ['checkIn', local(stay.start_at)], ['checkOut', local(stay.end_at)], ['guests', stay.guests],
    ['address', stay.listing_address], ['host', host.name],
  ]);
  if (host.phone)
    add(made, 'a', say('call') + ' ' + host.phone, { className: 'button', href: 'tel:' + host.phone.replace(/[^+\\d]/g, '') });
};
const showMoney = () => {
  const made = section('money');
  const { payment_expires_at: until, transfer } = stay;
  facts(made, [
    ['total', money(stay.total_price)],
    ...stay.charges.map(({ label, amount }) => [label, money(amount), true]),
    ['paid', stay.amount_paid ? money(stay.amount_paid) : null],
    ['refunded', stay.amount_refunded ? money(stay.amount_refunded) : null],
    ['due', stay.amount_due ? money(stay.amount_due) : null],
    ['until', stay.amount_due && until ? instant(until) : null],
    ['later', stay.amount_due_later ? money(stay.amount_due_later) : null],
    ['laterAt', stay.amount_due_later && stay.balance_due_at ? instant(stay.balance_due_at) : null],
  ]);
  if (transfer) {
    facts(made, [
      ['bank', transfer.bank], ['account', transfer.account_number], ['name', transfer.account_name],
      ['amount', money(transfer.amount)], ['reference', transfer.reference],
    ]);
    if (transfer.qr_text)
      ask('transfer-code')
        .then((reply) => reply.blob())
        .then((picture) => add(made, 'img', undefined, { alt: say('code'), src: URL.createObjectURL(picture) }))
        .catch(() => {});
  }
  if (stay.pending_change) {
    facts(made, [
      ['changeDue', money(stay.pending_change.amount_due)],
      ['until', instant(stay.pending_change.payment_expires_at)],
    ]);
    add(made, 'a', say('payChange'), { className: 'button', href: stay.pending_change.payment_url });
  }
  const { payment_url: authorise, amount } = stay.security_deposit;
  if (authorise) {
    facts(made, [['deposit', money(amount)]]);
    add(made, 'a', say('holdDeposit'), { className: 'button', href: authorise });
  }
  if (stay.pays_online)
    form(made, async (_, key) => location.assign((await json('pay', undefined, key)).payment_url), 'pay');
};
const showAccess = () => {
  const { access } = stay;
  if (!access) return;
  const made = section('access');
  if (access.state !== 'SHOWN') return void add(made, 'p', access.at ? say('AT') + ' ' + instant(access.at) : say(access.state));
  const fields = form(made, async (digits) => {
    const { wifi_name, wifi_password, door_code } = await json('access-info', digits);
    made.querySelector('form').remove();
    facts(made, [['wifi', wifi_name], ['password', wifi_password], ...Object.entries(door_code ?? {}).map(([door, code]) => [door, code, true])]);
    if (!made.querySelector('dd')) add(made, 'p', say('noCode'));
  }, 'show');
  field(fields, 'digits', 'phone_digits', { inputMode: 'numeric', pattern: '[0-9]{4}', maxLength: 4, autocomplete: 'off' });
};
const showMessages = () => {
  const made = section('messages');
  const list = add(made, 'ol');
  const line = ({ sender_type, sender_name, created_at, text }) => {
    const item = add(list, 'li', text);
    if (sender_type === 'GUEST' || sender_type === 'PARTNER') item.className = 'own';
    add(item, 'small', [sender_name, instant(created_at)].join(', '));
  };
  json('messages?limit=20&sort_order=desc').then(({ items }) => items.reverse().forEach(line)).catch((error) => add(list, 'li', reasonOf(error)));
  const fields = form(made, async (message, key) => {
    line(await json('messages', message, key));
    made.querySelector('textarea').value = '';
  }, 'send');
  field(fields, 'text', 'text', { maxLength: 4000, rows: 3 }, 'textarea');
};
const showChange = () => {
  if (!['PENDING', 'CONFIRMED', 'CHECKED_IN'].includes(stay.state)) return;
  const made = section('change');
  const found = add(made, 'div');
  const planned = (given) => {
    const asked = { guest_number: Number(given.guest_number), check_out_date: given.check_out_date };
    if (given.check_in_date) asked.check_in_date = given.check_in_date;
    if (given.check_in_time) Object.assign(asked, { check_in_time: given.check_in_time, check_out_time: given.check_out_time });
    return asked;
  };
  const fields = form(made, async (given) => {
    found.replaceChildren();
    const asked = planned(given);
    const { available, difference, now } = await json('change-preview', asked);
    if (!available) throw { code: 'LISTING_NOT_AVAILABLE' };
    facts(found, [['total', money(now.total)], ['difference', money(difference)]]);
    form(found, async (_, key) => {
      const { change } = await json('change', { ...asked, expected_difference: difference }, key);
      if (change.payment_url) location.assign(change.payment_url);
      else await open();
    }, 'confirmChange');
  }, 'preview');
  fields.addEventListener('input', () => found.replaceChildren());
  made.append(found);
  if (stay.state !== 'CHECKED_IN') field(fields, 'checkIn', 'check_in_date', { type: 'date', value: stay.check_in });
  field(fields, 'checkOut', 'check_out_date', { type: 'date', value: stay.check_out });
  if (stay.nights === 0) {
    field(fields, 'checkInTime', 'check_in_time', { type: 'time', value: stay.start_at.slice(11, 16) });
    field(fields, 'checkOutTime', 'check_out_time', { type: 'time', value: stay.end_at.slice(11, 16) });
  }
  field(fields, 'guests', 'guest_number', { type: 'number', min: 1, value: stay.guests });
};
const showCancellation = async () => {
  if (!['PENDING', 'CONFIRMED'].includes(stay.state)) return;
  const made = section('cancel');
  const { can_cancel, refund_now, schedule } = await json('cancellation').catch((error) => {
    made.remove();
    throw error;
  });
  if (!can_cancel) return made.remove();
  add(made, 'p', say('refundNow') + ' ' + money(refund_now.amount));
  for (const { until, refund } of schedule)
    if (until) add(made, 'p', say('refundUntil') + ' ' + instant(until) + ': ' + money(refund));
  const first = add(made, 'button', say('cancelStay'), { type: 'button' });
  first.addEventListener('click', () => {
    first.remove();
    add(made, 'p', say('sure'));
    const fields = form(made, async ({ reason }, key) => {
      await json('cancel', reason ? { reason } : {}, key);
      await open();
    }, 'cancelNow');
    field(fields, 'reason', 'reason', { required: false, maxLength: 1000 }).focus();
  });
};
const showReview = () => {
  if (stay.state !== 'COMPLETED') return;
  const made = section('review');
  const fields = form(made, async ({ rating, comment }, key) => {
    await json('review', { rating: Number(rating), ...(comment && { comment }) }, key);
    made.replaceChildren();
    add(made, 'p', say('thanks')).setAttribute('role', 'status');
  }, 'sendReview');
  const stars = field(fields, 'rating', 'rating', {}, 'select');
  for (const rating of [5, 4, 3, 2, 1]) add(stars, 'option', String(rating));
  field(fields, 'comment', 'comment', { required: false, maxLength: 2000, rows: 3 }, 'textarea');
};
const draw = () => {
  document.documentElement.lang = language;
  main.replaceChildren();
  add(main, 'h1', stay ? stay.listing_name : say('title'));
  document.title = (stay ? stay.listing_name : say('title')) + ' - Nightlatch';
  if (stay) {
    for (const show of [showStay, showMoney, showAccess, showMessages, showChange, showReview]) show();
    showCancellation().catch(() => {});
  } else add(main, 'p', say('gone')).setAttribute('role', 'status');
  const other = add(main, 'button', say('other'), { type: 'button', className: 'plain', lang: language === 'vi' ? 'en' : 'vi' });
  other.addEventListener('click', () => {
    language = language === 'vi' ? 'en' : 'vi';
    draw();
  });
};
const open = async () => {
  stay = await json('booking').catch((error) => {
    if (['NOT_FOUND', 'UNAUTHORIZED'].includes(error.code)) return undefined;
    throw error;
  });
  draw();
};
open().catch((error) => {
  draw();
  main.querySelector('p').textContent = reasonOf(error);
});
addEventListener('hashchange', () => location.reload());
`;
