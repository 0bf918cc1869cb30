/** The key of the page in this tab: the provider leads back to an address without it. */
const name = 'page-key';

export const rememberKey = (key: string): void => {
  if (key !== '') sessionStorage.setItem(name, key);
};

export const rememberedKey = (): string => sessionStorage.getItem(name) ?? '';
