import { page } from './page.ts';

const script = `
const byId = (id) => document.getElementById(id);
let chosen = false; let known = 0;
const show = (mail) => {
  byId('subject').textContent = mail.subject;
  byId('to').textContent = 'to ' + mail.to + ', ' + mail.sent_at;
  byId('links').replaceChildren(...mail.links.map((link) => {
    const item = document.createElement('a');
    item.href = link; item.textContent = link; item.target = '_blank'; item.rel = 'noreferrer';
    const line = document.createElement('div'); line.append(item); return line;
  }));
  byId('html').srcdoc = '<base target="_blank">' + mail.html;
  byId('text').textContent = mail.text;
};
const refresh = async () => {
  const mails = await (await fetch('/_local/mailbox.json')).json();
  if (mails.length === known) return;
  known = mails.length;
  byId('none').hidden = known > 0;
  byId('list').replaceChildren(...mails.map((mail, at) => {
    const button = document.createElement('button');
    button.style = 'display:block;width:100%;text-align:left;margin-bottom:.4rem';
    button.textContent = mail.subject + ' → ' + mail.to;
    button.onclick = () => { chosen = true; show(mail); };
    return button;
  }));
  // A mail that was opened stays open when another arrives.
  if (mails[0] && !chosen) show(mails[0]);
};
refresh(); setInterval(() => refresh().catch(() => {}), 1000);
`;

/** Returns `/_local/mailbox`: every mail of the service and the identity provider. */
export const mailboxPage = (): string =>
  page(
    'Mailbox',
    `<section><h2>Mailbox</h2><div id="list"></div><p id="none" class="empty">No mail yet.</p></section>
<section style="grid-column:span 2"><h2 id="subject"></h2><p id="to" class="empty"></p><div id="links"></div>
<iframe id="html" title="mail" sandbox="allow-popups allow-popups-to-escape-sandbox" style="width:100%;height:24rem;border:1px solid var(--line);border-radius:.4rem;background:#fff;margin:.6rem 0"></iframe>
<pre id="text"></pre></section>`,
    script,
  );
