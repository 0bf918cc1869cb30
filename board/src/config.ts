/** Where the API and the identity provider are, as the place says that serves the board. */
export interface Config {
  /** Empty: the origin of the board itself. */
  api_url: string;
  issuer: string;
  audience: string;
  client_id: string;
}

export const readConfig = async (): Promise<Config> => {
  const response = await fetch('config.json');
  if (!response.ok) throw new Error(`config.json: ${response.status}`);
  return (await response.json()) as Config;
};

/** The address of the board itself, to which the identity provider returns. */
export const boardUrl = (): string => new URL('.', location.href).href;
