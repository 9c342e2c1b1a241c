"""Stores, lists, reads, signs and deletes a file. Prints the signed URL."""

import json
import os
from urllib.parse import urlencode
from urllib.request import Request, urlopen

URL, KEY = os.environ["HOLDALL_URL"], os.environ["HOLDALL_KEY"]


def call(method, path, query=None, body=None, **headers):
    if isinstance(body, dict):
        body, headers["Content-Type"] = json.dumps(body).encode(), "application/json"
    target = f"{URL}/api/{path}" + (f"?{urlencode(query)}" if query else "")
    # `HTTPError` is raised for failures; its body has `error.code` and `error.message`.
    with urlopen(Request(target, body, {"API-Key": KEY, **headers}, method=method)) as response:
        return response.read()


content = {"key": "python/notes.txt", "visibility": "private"}
call("PUT", "files/content", content, b"Low tide at six.")
listed = json.loads(call("GET", "folders", {"key": "python"}))["data"]["files"]
print([file["key"] for file in listed])
print(call("GET", "files/content", {"key": "python/notes.txt"}).decode())
signed = json.loads(call("POST", "files/sign", body={"key": "python/notes.txt", "expiresIn": 600}))
print(f"{URL}/{signed['data']['url']}")
call("DELETE", "files", body={"keys": ["python/notes.txt"]})
