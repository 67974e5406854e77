export { answerAuth as GET, answerAuth as POST } from "@/lib/api/console/auth-options";
