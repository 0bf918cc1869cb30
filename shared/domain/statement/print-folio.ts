import type { Context } from '../../platform/context.ts';
import { inlineSource, pagePolicy, privatePage } from '../../platform/http/html-page.ts';
import type { Reply } from '../../platform/http/reply.ts';
import { Html, html } from '../../platform/text/html.ts';
import type { WrittenLanguage } from '../../platform/text/language.ts';
import { readFolio } from '../booking/index.ts';
import { guestLanguage, teamRead } from '../people/model.ts';
import { folioPage, folioStyle } from './folio-page.rules.ts';

const style = new Html(`<style>${folioStyle}</style>`);
/** Written into the page too: an application that shows it hands over no header. */
const policy = pagePolicy(`style-src ${inlineSource(folioStyle)}`);

/**
 * Returns the folio of a booking, or of the stays of a master, as one page to print (D132), by default in the language of the
 * team's mails to its guests. One Query, then the teams.
 */
export const printFolio = async (
  ctx: Context,
  bookingId: number,
  asked: WrittenLanguage | undefined,
): Promise<Reply<string>> => {
  const { order, reservations: stays, folio } = await readFolio(ctx, bookingId);
  const teamIds = [...new Set(stays.map(({ team_id }) => team_id))];
  const teams = (await ctx.table.getAll(teamIds.map(teamRead))).filter((team) => team !== undefined);
  const language = asked ?? guestLanguage(teams[0]);
  const teamNames = teams.map(({ name }) => name);
  const now = ctx.clock.now();
  const { title, content } = folioPage({ folio, order, stays, teamNames, language, now });
  const page = html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content="${policy}" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        ${style}
      </head>
      <body>
        ${content}
      </body>
    </html> `;
  return privatePage(page.text, policy);
};
