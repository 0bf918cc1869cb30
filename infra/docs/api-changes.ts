import type { Surface } from './api-surface.ts';

/** How an interface differs from what clients know of it. */
interface Changes {
  /** What a client may rely on and has gone, or what it does not send and must. */
  breaking: string[];
  additions: string[];
}

type Fields = Record<string, string>;

const bare = (name: string): string => name.replace(/!$/, '');
const typesIn = (text: string | undefined): string[] =>
  text === undefined || text === '' ? [] : text.split(' | ');
const without = (all: readonly string[], those: readonly string[]): string[] =>
  all.filter((one) => !those.includes(one));

/** Returns the changes from one surface to the next (D97). */
export const changesBetween = (before: Surface, after: Surface): Changes => {
  const changes = new ChangeList();
  changes.members('operation', before.operations, after.operations, (id, old, now) => {
    if (old.call !== now.call) changes.breaking.push(`${id} was ${old.call} and is ${now.call}`);
    changes.taken(id, old.takes, now.takes);
    changes.body(id, old.body, now.body);
    for (const [status, type] of Object.entries(old.answers))
      if (now.answers[status] !== type)
        changes.breaking.push(
          `${id} answered ${status} with ${type}, now ${now.answers[status] ?? 'not at all'}`,
        );
    changes.set(`${id}: error`, old.errors, now.errors);
  });
  changes.members('webhook', before.webhooks, after.webhooks, (type, old, now) => {
    if (old !== now) changes.breaking.push(`${type} carried ${old} and carries ${now}`);
  });
  changes.members('schema', before.schemas, after.schemas, (name, old, now) => {
    changes.set(`${name}: value`, old.oneOf ?? [], now.oneOf ?? []);
    if (old.takes) changes.taken(name, old.takes, now.takes ?? {});
    if (old.has) changes.had(name, old.has, now.has ?? {});
  });
  return changes;
};

class ChangeList implements Changes {
  readonly breaking: string[] = [];
  readonly additions: string[] = [];

  members<T>(
    kind: string,
    before: Record<string, T>,
    after: Record<string, T>,
    compare: (name: string, old: T, now: T) => void,
  ): void {
    for (const [name, old] of Object.entries(before)) {
      const now = after[name];
      if (now === undefined) this.breaking.push(`the ${kind} ${name} has gone`);
      else compare(name, old, now);
    }
    for (const name of without(Object.keys(after), Object.keys(before)))
      this.additions.push(`the ${kind} ${name} is new`);
  }

  set(what: string, before: readonly string[], after: readonly string[]): void {
    this.breaking.push(...without(before, after).map((one) => `${what} ${one} has gone`));
    this.additions.push(...without(after, before).map((one) => `${what} ${one} is new`));
  }

  body(id: string, before: string | undefined, after: string | undefined): void {
    if (before === after) return;
    const isRequired = (body: string): boolean => body.endsWith('!');
    const isEased =
      before !== undefined &&
      after !== undefined &&
      isRequired(before) >= isRequired(after) &&
      without(typesIn(bare(before)), typesIn(bare(after))).length === 0;
    const list = isEased ? this.additions : this.breaking;
    list.push(`${id} took the body ${before ?? 'none'} and takes ${after ?? 'none'}`);
  }

  /** Fields of a request: none may go, none may be asked for anew, none may take less. */
  taken(where: string, before: Fields, after: Fields): void {
    this.#fields(where, before, after, {
      isRequired: (name, wasRequired) => {
        if (!wasRequired) this.breaking.push(`${where} requires ${name}, which could be left out`);
        else this.additions.push(`${where} no longer requires ${name}`);
      },
      lost: (name, type) => this.breaking.push(`${where} no longer takes ${type} in ${name}`),
      gained: (name, type) => this.additions.push(`${where} also takes ${type} in ${name}`),
      isNew: (name, isRequired) => {
        const list = isRequired ? this.breaking : this.additions;
        list.push(`${where} ${isRequired ? 'requires' : 'takes'} ${name}, which is new`);
      },
    });
  }

  /** Fields of an answer: none may go, none may be missing at times, none may be more than before. */
  had(where: string, before: Fields, after: Fields): void {
    this.#fields(where, before, after, {
      isRequired: (name, wasRequired) => {
        if (wasRequired) this.breaking.push(`${where} may lack ${name}, which it always had`);
        else this.additions.push(`${where} always has ${name}`);
      },
      lost: (name, type) => this.additions.push(`${where}.${name} is never ${type}`),
      gained: (name, type) => this.breaking.push(`${where}.${name} may be ${type}, which it was not`),
      isNew: (name) => this.additions.push(`${where} has ${name}, which is new`),
    });
  }

  #fields(
    where: string,
    before: Fields,
    after: Fields,
    on: {
      isRequired: (name: string, wasRequired: boolean) => void;
      lost: (name: string, type: string) => void;
      gained: (name: string, type: string) => void;
      isNew: (name: string, isRequired: boolean) => void;
    },
  ): void {
    const now = new Map(Object.entries(after).map(([name, types]) => [bare(name), { name, types }]));
    for (const [key, types] of Object.entries(before)) {
      const name = bare(key);
      const found = now.get(name);
      if (!found) {
        this.breaking.push(`${where} has lost ${name}`);
        continue;
      }
      if (found.name !== key) on.isRequired(name, key.endsWith('!'));
      without(typesIn(types), typesIn(found.types)).forEach((type) => on.lost(name, type));
      without(typesIn(found.types), typesIn(types)).forEach((type) => on.gained(name, type));
    }
    const known = Object.keys(before).map(bare);
    for (const [name, { name: key }] of now) if (!known.includes(name)) on.isNew(name, key.endsWith('!'));
  }
}
