import type { Context } from '../../shared/platform/context.ts';
import type { Reply } from '../../shared/platform/http/reply.ts';
import { sitePage } from './site.ts';

/** The first page of the documentation (D70). */
export const getDocs = (ctx: Context): Promise<Reply<string>> => sitePage('index', ctx);
