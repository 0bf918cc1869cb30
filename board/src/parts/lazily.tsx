import { signal } from '@preact/signals';
import type { ComponentType } from 'preact';
import { say } from '../words/index.ts';

/** A page in a file of its own, which is loaded when it is first opened. */
export const lazily = (load: () => Promise<ComponentType>): ComponentType => {
  const state = signal<{ Page?: ComponentType; hasFailed?: boolean }>({});
  let isAsked = false;
  const ask = async (): Promise<void> => {
    isAsked = true;
    try {
      state.value = { Page: await load() };
    } catch {
      isAsked = false;
      state.value = { hasFailed: true };
    }
  };
  return () => {
    const { Page, hasFailed = false } = state.value;
    if (Page) return <Page />;
    if (!isAsked && !hasFailed) void ask();
    return hasFailed ? (
      <div class="warning" role="status">
        <p>{say('pageMissing')}</p>
        <button type="button" onClick={() => location.reload()}>
          {say('again')}
        </button>
      </div>
    ) : (
      <p class="quiet">{say('loading')}</p>
    );
  };
};
