"""llama.cpp's own HTTP server, out of the wheel xllamacpp, with one model on the loopback interface.

Arguments: the model's file, a port, a context length, the name it goes by, a chat template's file.
"""

import sys
import time

import xllamacpp

path, port, context, name, template = sys.argv[1:6]
params = xllamacpp.CommonParams()
params.model.path = path
params.n_ctx = int(context)
params.n_parallel = 1
params.port = int(port)
params.use_jinja = True
params.hostnames = ["127.0.0.1"] if isinstance(params.hostnames, list) else "127.0.0.1"
params.model_alias = {name} if isinstance(params.model_alias, (set, frozenset)) else [name]
params.cpuparams.n_threads = 1
params.cpuparams_batch.n_threads = 1
params.sampling.temp = 0.2
with open(template, encoding="utf-8") as file:
    params.chat_template = file.read()
server = xllamacpp.Server(params)
print("listening", server.listening_address, flush=True)
while True:
    time.sleep(60)
