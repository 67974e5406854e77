import type { BrowserContext, Page } from "@playwright/test";

/** Collects what went wrong in the pages of a test beside what the test looks at: a test passes only when nothing did. */
export class PageProblems {
  private readonly found: string[] = [];
  private readonly allowed: RegExp[] = [];

  /** Watches every page of the context, also those still to be opened. */
  async watch(context: BrowserContext): Promise<void> {
    context.on("page", (page) => this.watchPage(page));
    await context.exposeBinding("reportViolation", (_source, violation: string) => this.add(violation));
    await context.addInitScript(() => {
      const report = (window as unknown as { reportViolation(text: string): void }).reportViolation; // the binding above
      document.addEventListener("securitypolicyviolation", (event) =>
        report(
          `policy: ${event.effectiveDirective} stopped ${event.blockedURI} in ${event.documentURI} (${event.sourceFile}:${event.lineNumber}) ${event.sample}`,
        ),
      );
    });
  }

  /** A problem that the test causes on purpose. */
  allow(pattern: RegExp): void {
    this.allowed.push(pattern);
  }

  /** Everything that nobody allowed, each once. */
  unexpected(): string[] {
    return [...new Set(this.found)].filter((problem) => !this.allowed.some((pattern) => pattern.test(problem)));
  }

  private add(problem: string): void {
    this.found.push(problem);
  }

  private watchPage(page: Page): void {
    page.on("pageerror", (error) => this.add(`uncaught: ${error.message}`));
    page.on("console", (message) => {
      // What the policy stopped is reported above already. A refusal by status is the test's own matter, and the browser says nothing of it that the answer does not.
      if (message.type() === "error" && !/^Failed to load resource|Content Security Policy/.test(message.text()))
        this.add(`console: ${message.text()} on ${page.url()}`);
    });
    page.on("requestfailed", (request) => {
      const reason = request.failure()?.errorText ?? "";
      // What a page asked for is given up when the page is left.
      if (reason !== "net::ERR_ABORTED") this.add(`failed: ${request.method()} ${request.url()} ${reason}`);
    });
    page.on("response", (response) => {
      if (response.status() >= 500) this.add(`answer: ${response.status()} ${response.request().method()} ${response.url()}`);
    });
  }
}
