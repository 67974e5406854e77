/** On the tab of a text with unsaved changes. */
export function UnsavedMark() {
  return (
    <>
      <span aria-hidden="true" className="ml-1.5 inline-block size-1.5 rounded-full bg-warning align-middle" />
      <span className="sr-only"> (unsaved changes)</span>
    </>
  );
}
