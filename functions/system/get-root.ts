import { Answered } from '../../shared/platform/http/answer.ts';

/** Leads to the docs page, relative to the stage or domain that was asked (D104). */
export const getRoot = async (): Promise<Answered<string>> =>
  new Answered('', { status: 302, headers: { Location: 'docs' } });
