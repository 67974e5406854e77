// The routes that make images, speech and video, as OpenAI's do. A prompt that says "refuse this"
// is refused.
const PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const MP3 = Buffer.concat([Buffer.from("4944330400000000000054495432", "hex"), Buffer.alloc(500)]);
const MP4 = Buffer.concat([
  Buffer.from("000000206674797069736f6d0000020069736f6d", "hex"),
  Buffer.alloc(500),
]);

/**
 * What the person asked for, as a conversation: the script's key is found in it. @param {{prompt?:
 * string, input?: string}} body
 */
export function askedFor(body) {
  return [{ role: "user", content: body.prompt ?? body.input ?? "" }];
}

/**
 * @param {string} name method and path
 * @param {{prompt?: string, input?: string}} body
 * @returns {{status: number, json: object} | {status: number, bytes: Buffer, type: string} | null}
 * null: no route of this kind
 */
export function answerMedia(name, body) {
  if (/refuse this/.test(body.prompt ?? body.input ?? ""))
    return { status: 400, json: { error: { message: "the picture is not allowed" } } };
  if (name === "POST /v1/images/generations")
    return { status: 200, json: { created: 1, data: [{ b64_json: PNG }] } };
  if (name === "POST /v1/audio/speech") return { status: 200, bytes: MP3, type: "audio/mpeg" };
  if (name === "POST /v1/videos")
    return { status: 200, json: { id: "video_1", object: "video", status: "queued" } };
  if (name === "GET /v1/videos/video_1")
    return { status: 200, json: { id: "video_1", object: "video", status: "completed" } };
  if (name === "GET /v1/videos/video_1/content")
    return { status: 200, bytes: MP4, type: "video/mp4" };
  return null;
}
