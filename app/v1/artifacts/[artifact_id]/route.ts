export { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } from "@/lib/api/v1/route";
