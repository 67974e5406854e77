/** A file that a run made. `url` is signed, works for 15 minutes and is renewed whenever the run is fetched. */
export interface Artifact {
  id: string;
  title: string;
  /** Its media type, such as `text/markdown`. */
  type: string;
  url: string;
  name: string;
  size_bytes: number;
}
