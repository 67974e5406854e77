/**
 * The answer ended before it was complete: the connection broke, or the stream closed without its
 * end.
 */
export class StreamCut extends Error {
  override readonly name = "StreamCut";
}
