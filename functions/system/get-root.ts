import { Reply } from '../../shared/platform/http/reply.ts';

/** Leads to the docs page, relative to the stage or domain that was asked (D104). */
export const getRoot = async (): Promise<Reply<string>> =>
  new Reply('', { status: 302, headers: { Location: 'docs' } });
