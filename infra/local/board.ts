import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { ServiceError } from '../../shared/platform/errors.ts';
import { browserSafety, errorBody, jsonHeaders } from '../../shared/platform/http/reply.ts';
import {
  type BoardConfig,
  type BoardFile,
  boardHeaders,
  buildBoard,
  embedFor,
  embedName,
  stayFolder,
  stayHeaders,
} from '../board/build.ts';
import type { Interceptor } from './gateway/listen.ts';
import { localAudience, localClients } from './settings.ts';

const roots = { board: '/board/', stay: '/stay/' };

/** Returns the board at `/board/` and the page for guests at `/stay/`, as CloudFront serves them on a stage; built when first asked for. */
export const boardPages = (authUrl: string): Interceptor => {
  const configFor = ({ client_id }: { client_id: string }): BoardConfig => ({
    ...{ api_url: '', issuer: `${authUrl}/`, audience: localAudience, client_id },
  });
  const config = configFor(localClients.pages);
  let built: Promise<Map<string, BoardFile>> | undefined;
  const files = (): Promise<Map<string, BoardFile>> => {
    built ??= buildBoard().then((made) => {
      const embed = made.get(embedName);
      if (embed) made.set(embedName, { ...embed, body: Buffer.from(embedFor('', embed)) });
      return made
        .set('config.json', fileOf(config))
        .set(`${stayFolder}config.json`, fileOf(configFor(localClients.guests)));
    });
    return built;
  };
  return (request, response) => {
    const [path = ''] = (request.url ?? '/').split('?');
    if (path === '/board' || path === '/stay') response.writeHead(302, { Location: `${path}/` }).end();
    else if (path.startsWith(roots.board))
      void answer(files(), path.slice(roots.board.length), boardHeaders(config), response);
    else if (path.startsWith(roots.stay))
      void answer(files(), stayFolder + path.slice(roots.stay.length), stayHeaders(config), response);
    else return false;
    return true;
  };
};

const fileOf = (config: BoardConfig): BoardFile => ({
  ...{ contentType: 'application/json; charset=utf-8', cacheControl: 'no-cache' },
  body: Buffer.from(JSON.stringify(config)),
});

const answer = async (
  files: Promise<Map<string, BoardFile>>,
  name: string,
  headers: ReturnType<typeof boardHeaders>,
  response: ServerResponse,
): Promise<void> => {
  try {
    const file = (await files).get(name === '' || name.endsWith('/') ? `${name}index.html` : name);
    if (!file) throw new ServiceError('NOT_FOUND');
    const { contentType, cacheControl, body } = file;
    response
      .writeHead(200, {
        ...browserSafety,
        ...headers,
        'Content-Type': contentType,
        'Cache-Control': cacheControl,
      })
      .end(body);
  } catch (error) {
    const failure = error instanceof ServiceError ? error : new ServiceError('INTERNAL_ERROR');
    const requestId = randomUUID();
    response
      .writeHead(failure.status, { ...jsonHeaders, 'X-Request-Id': requestId })
      .end(errorBody(failure, requestId));
  }
};
