// Nothing lies here: the console's router says so in the API's own words, where Next would answer
// with a page.
export { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } from "@/lib/api/console/console-surface";
