import { exampleUrls } from '../../shared/platform/http/shown-examples.ts';
import { serviceVersion } from './version.ts';

/** Returns the OpenAPI document as text. In a bundle it is a file beside it, which the build has made of this. */
export const documentText = async (): Promise<string> => {
  const { apiDocument } = await import('./api-document.ts');
  return JSON.stringify(apiDocument({ serverUrl: exampleUrls.api, version: serviceVersion() }));
};
