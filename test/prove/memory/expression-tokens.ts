/** An error that DynamoDB reports before it does anything. */
export class ValidationError extends Error {
  override readonly name = 'ValidationException';
  readonly $fault = 'client';
  readonly $metadata = { httpStatusCode: 400 };
}

export type ExpressionKind =
  | 'ConditionExpression'
  | 'FilterExpression'
  | 'KeyConditionExpression'
  | 'UpdateExpression'
  | 'ProjectionExpression';

interface Token {
  text: string;
  from: number;
  to: number;
}

const pattern = /\s*(?:(<>|<=|>=|[()[\],.=<>+-])|([#:]?[A-Za-z0-9_]+))/y;
const maxBytes = 4096;
const end = '<EOF>';

/** The tokens of an expression, read one after another; every error says where it is. */
export class Tokens {
  readonly kind: ExpressionKind;
  readonly #expression: string;
  readonly #tokens: Token[];
  #at = 0;

  constructor(kind: ExpressionKind, expression: string) {
    this.kind = kind;
    this.#expression = expression;
    if (expression === '') throw this.invalid('The expression can not be empty;');
    const size = Buffer.byteLength(expression);
    if (size > maxBytes)
      throw this.invalid(`Expression size has exceeded the maximum allowed size; expression size: ${size}`);
    this.#tokens = this.#read();
  }

  #read(): Token[] {
    const tokens: Token[] = [];
    pattern.lastIndex = 0;
    const { length } = this.#expression.trimEnd();
    while (pattern.lastIndex < length) {
      const from = pattern.lastIndex;
      const match = pattern.exec(this.#expression);
      if (!match) {
        const bad = this.#expression.slice(from).trimStart()[0] ?? '';
        throw this.invalid(
          `Syntax error; token: "${bad}", near: "${this.#expression.slice(from, from + 10)}"`,
        );
      }
      const text = match[1] ?? match[2] ?? '';
      tokens.push({ text, from: pattern.lastIndex - text.length, to: pattern.lastIndex });
    }
    return tokens;
  }

  invalid(message: string): ValidationError {
    return new ValidationError(`Invalid ${this.kind}: ${message}`);
  }

  /** Returns the error for the current token. */
  unexpected(): ValidationError {
    const [before, token, after] = [this.#at - 1, this.#at, this.#at + 1].map((at) => this.#tokens[at]);
    const from = before?.from ?? token?.from ?? 0;
    const to = after?.to ?? token?.to ?? before?.to ?? this.#expression.length;
    const near = this.#tokens.length === 0 ? this.#expression : this.#expression.slice(from, to);
    return this.invalid(`Syntax error; token: "${token?.text ?? end}", near: "${near}"`);
  }

  peek(ahead = 0): string | undefined {
    return this.#tokens[this.#at + ahead]?.text;
  }

  next(): string {
    const token = this.#tokens[this.#at];
    if (!token) throw this.unexpected();
    this.#at++;
    return token.text;
  }

  /** Skips the token, or a keyword in any case; returns whether it was there. */
  skip(text: string): boolean {
    if (this.peek()?.toUpperCase() !== text) return false;
    this.#at++;
    return true;
  }

  expect(text: string): void {
    if (!this.skip(text)) throw this.unexpected();
  }

  expectEnd(): void {
    if (this.peek() !== undefined) throw this.unexpected();
  }
}
