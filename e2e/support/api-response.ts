import type { z } from "zod";

/** An answer read to its end. */
export class ApiResponse {
  constructor(
    readonly status: number,
    readonly headers: Headers,
    readonly bytes: Uint8Array,
  ) {}

  get text(): string {
    return new TextDecoder().decode(this.bytes);
  }

  json(): unknown {
    return JSON.parse(this.text);
  }

  /** The body, checked. Throws with the status and the body when it does not fit. */
  as<T extends z.ZodType>(shape: T): z.infer<T> {
    const parsed = shape.safeParse(this.text === "" ? undefined : this.json());
    if (!parsed.success)
      throw new Error(`The ${this.status} answer does not have the promised shape: ${parsed.error.message}\n${this.text.slice(0, 2000)}`);
    return parsed.data;
  }

  header(name: string): string | null {
    return this.headers.get(name);
  }
}
