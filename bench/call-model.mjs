import { Agent, request } from "node:http";

const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY });

/**
 * Streams an answer of the model, with as little as that takes: what all sides but those that bring
 * their own client of models have in common. `onLines` gets the events of each piece that arrives.
 * @param {string} model
 * @param {string} content
 * @param {(lines: string) => void} onLines
 * @returns {Promise<{ text: string }>}
 */
export function callModel(model, content, onLines) {
  return new Promise((resolve, reject) => {
    const body = JSON.stringify({
      model,
      stream: true,
      stream_options: { include_usage: true },
      messages: [{ role: "user", content }],
    });
    const headers = {
      "content-type": "application/json",
      "content-length": Buffer.byteLength(body),
    };
    const call = request(
      `${process.env.MODEL_URL}/chat/completions`,
      { method: "POST", agent, headers },
      (response) => {
        let rest = "";
        let text = "";
        response.setEncoding("utf8");
        response.on("data", (part) => {
          const events = (rest + part).split("\n\n");
          rest = events.pop() ?? "";
          let lines = "";
          for (const event of events) {
            if (event.length < 7 || event.endsWith("[DONE]")) continue;
            const delta = JSON.parse(event.slice("data: ".length)).choices[0]?.delta.content;
            if (!delta) continue;
            text += delta;
            lines += `${JSON.stringify({ type: "output_text.delta", delta })}\n`;
          }
          if (lines !== "") onLines(lines);
        });
        response.on("end", () => resolve({ text }));
        response.on("error", reject);
      },
    );
    call.on("error", reject);
    call.end(body);
  });
}
