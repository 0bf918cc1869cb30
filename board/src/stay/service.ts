import { Nightlatch, NightlatchConnectionError, type PageClient } from '@nightlatch/client';

/** What the homes are read with. */
interface Service {
  apiUrl: string;
  /** The publishable key of the team (D144). */
  key: string;
  /** The page for guests, where they book; empty: this page is it. */
  stayUrl: string;
}

let service: Service = { apiUrl: '', key: '', stayUrl: '' };

export const openService = (given: Service): void => {
  service = given;
};

/** Whether the homes are shown on a page of the host. */
export const isEmbedded = (): boolean => service.stayUrl !== '';
export const stayUrl = (): string => service.stayUrl;
export const apiUrl = (): string => service.apiUrl;
export const pageKey = (): string => service.key;

/** The homes of the team. */
export const homes = (): PageClient =>
  new Nightlatch({ baseUrl: service.apiUrl, publishableKey: service.key, maxAttempts: 3 });

/**
 * Whether the service answers other pages: one whose origin the key does not name gets no readable answer, which looks like a lost
 * connection.
 */
export const isRefusedHere = async (error: unknown): Promise<boolean> => {
  if (!(error instanceof NightlatchConnectionError) || !isEmbedded()) return false;
  try {
    await fetch(`${service.apiUrl}/healthz`, { mode: 'no-cors' });
    return true;
  } catch {
    return false;
  }
};
