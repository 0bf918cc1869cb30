import { type Html, html } from '../../platform/text/html.ts';
import type { WrittenLanguage } from '../../platform/text/language.ts';
import type { Mail } from '../../platform/mail/mailer.ts';

/** A labelled fact of one or several lines. */
export type Fact = readonly [label: string, value: string | readonly string[]];

/** A message as its sender wrote it. */
interface QuotedMessage {
  heading: string;
  text: string;
}

/** A link that the reader is to follow. */
export interface MailAction {
  label: string;
  url: string;
}

/** The content of a mail: subject, sentences, links, messages and a table of facts. */
interface MailContent {
  language: WrittenLanguage;
  subject: string;
  greeting: string;
  paragraphs: readonly string[];
  actions?: readonly MailAction[];
  messages?: readonly QuotedMessage[];
  facts: readonly Fact[];
  footer: string;
}

/** Returns the content as a mail with equivalent HTML and text. */
export const renderMail = (to: string, content: MailContent): Mail => ({
  to,
  subject: oneLine(content.subject),
  text: textOf(content),
  html: htmlOf(content).text,
});

/** Names that the identity provider reports may contain line breaks, subjects and greetings must not. */
const oneLine = (text: string): string => text.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim();

const linesOf = (value: Fact[1]): string[] => [value].flat().map(oneLine);

const factText = ([label, value]: Fact): string => {
  const lines = linesOf(value);
  return lines.length === 1
    ? `${label}: ${lines[0]}`
    : [`${label}:`, ...lines.map((line) => `  ${line}`)].join('\n');
};

const textOf = ({ greeting, paragraphs, actions = [], messages = [], facts, footer }: MailContent): string =>
  [
    oneLine(greeting),
    ...paragraphs,
    ...actions.map(({ label, url }) => `${label}: ${url}`),
    ...messages.map(({ heading, text }) => `${oneLine(heading)}\n${text.replaceAll(/^/gm, '> ')}`),
    facts.map(factText).join('\n'),
    `-- \n${footer}`,
  ].join('\n\n');

const htmlOf = ({
  language,
  subject,
  greeting,
  paragraphs,
  actions = [],
  messages = [],
  facts,
  footer,
}: MailContent): Html =>
  html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${oneLine(subject)}</title>
      </head>
      <body
        style="margin:0;padding:24px 12px;background:#f3f1ec;color:#22252b;font:16px/1.55 -apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif"
      >
        <table
          role="presentation"
          align="center"
          cellpadding="0"
          cellspacing="0"
          style="width:100%;max-width:560px;margin:0 auto;border-collapse:collapse"
        >
          <tr>
            <td
              style="padding:0 8px 12px;font-size:14px;letter-spacing:.08em;text-transform:uppercase;color:#7a6a4f"
            >
              Nightlatch
            </td>
          </tr>
          <tr>
            <td style="padding:28px;background:#ffffff;border-radius:12px;border-top:4px solid #b8863b">
              <h1 style="margin:0 0 16px;font-size:22px;line-height:1.3">${oneLine(subject)}</h1>
              <p style="margin:0 0 12px">${oneLine(greeting)}</p>
              ${paragraphs.map((paragraph) => html`<p style="margin:0 0 12px">${paragraph}</p>`)}
              ${actions.map(actionButton)}${messages.map(quoted)}
              <table
                role="presentation"
                cellpadding="0"
                cellspacing="0"
                style="width:100%;margin-top:12px;border-collapse:collapse"
              >
                ${facts.map(factRow)}
              </table>
            </td>
          </tr>
          <tr>
            <td style="padding:16px 8px;font-size:13px;color:#7b7f87">${footer}</td>
          </tr>
        </table>
      </body>
    </html> `;

const actionButton = ({ label, url }: MailAction): Html =>
  html`<p style="margin:20px 0">
    <a
      href="${url}"
      style="display:inline-block;padding:12px 22px;background:#7a5a1f;color:#ffffff;border-radius:8px;text-decoration:none"
      >${label}</a
    >
  </p>`;

const quoted = ({ heading, text }: QuotedMessage): Html =>
  html`<p style="margin:16px 0 4px;font-size:14px;color:#6b6f76">${oneLine(heading)}</p>
    <p style="margin:0 0 12px;padding-left:12px;border-left:3px solid #b8863b;white-space:pre-line">
      ${text}
    </p>`;

const factRow = ([label, value]: Fact): Html =>
  html`<tr>
    <td
      style="padding:8px 12px 8px 0;border-top:1px solid #ece8df;color:#6b6f76;vertical-align:top;white-space:nowrap"
    >
      ${label}
    </td>
    <td style="padding:8px 0;border-top:1px solid #ece8df;text-align:right">
      ${linesOf(value).map((line, position) => (position === 0 ? html`${line}` : html`<br />${line}`))}
    </td>
  </tr> `;
