export { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } from "@/lib/api/apps/app-surface";
