import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { S3ClientProgram } from "./client-run.ts";

/** Where Debian keeps the sources of Go's libraries. */
const GOPATH = "/usr/share/gocode";

/** The library of many programs in Go. It streams uploads in parts with composite checksums. */
export const minioGo: S3ClientProgram = {
  name: "minio-go",
  probe: ["ls", `${GOPATH}/src/github.com/minio/minio-go/v7`],
  missing: () => (Bun.which("go") === null ? "go is not installed" : undefined),
  env: ({ folder }) => ({ GOPATH, GO111MODULE: "off", GOCACHE: join(folder, "cache") }),
  steps({ run, bucket, folder, server }) {
    writeFileSync(join(folder, "main.go"), program(`127.0.0.1:${server.port}`, bucket));
    run("go", "run", "main.go");
  },
};

const program = (endpoint: string, bucket: string): string => `package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"io"
	"log"
	"os"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"
)

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func main() {
	ctx := context.Background()
	client, err := minio.New("${endpoint}", &minio.Options{
		Creds: credentials.NewStaticV4(os.Getenv("AWS_ACCESS_KEY_ID"), os.Getenv("AWS_SECRET_ACCESS_KEY"), ""),
	})
	check(err)
	check(client.MakeBucket(ctx, "${bucket}", minio.MakeBucketOptions{}))
	content := make([]byte, 20<<20+17)
	rand.Read(content)
	for _, put := range []struct {
		name string
		size int64
	}{{"known", int64(len(content))}, {"stream", -1}} {
		reader := io.Reader(bytes.NewReader(content))
		if put.size < 0 {
			reader = io.MultiReader(reader)
		}
		_, err = client.PutObject(ctx, "${bucket}", put.name, reader, put.size, minio.PutObjectOptions{
			PartSize:     6 << 20,
			ContentType:  "application/x-test",
			UserMetadata: map[string]string{"a": "1"},
		})
		check(err)
		object, err := client.GetObject(ctx, "${bucket}", put.name, minio.GetObjectOptions{})
		check(err)
		found, err := io.ReadAll(object)
		check(err)
		if !bytes.Equal(found, content) {
			log.Fatal(put.name, " has other bytes")
		}
		info, err := client.StatObject(ctx, "${bucket}", put.name, minio.StatObjectOptions{})
		check(err)
		if info.ContentType != "application/x-test" || info.UserMetadata["A"] != "1" {
			log.Fatal(put.name, " has other metadata")
		}
	}
	_, err = client.CopyObject(ctx, minio.CopyDestOptions{Bucket: "${bucket}", Object: "folder/copy"},
		minio.CopySrcOptions{Bucket: "${bucket}", Object: "known"})
	check(err)
	_, err = client.ComposeObject(ctx, minio.CopyDestOptions{Bucket: "${bucket}", Object: "composed"},
		minio.CopySrcOptions{Bucket: "${bucket}", Object: "known"},
		minio.CopySrcOptions{Bucket: "${bucket}", Object: "stream"})
	check(err)
	count := 0
	objects := make(chan minio.ObjectInfo, 10)
	for object := range client.ListObjects(ctx, "${bucket}", minio.ListObjectsOptions{Recursive: true}) {
		check(object.Err)
		count++
		objects <- object
	}
	close(objects)
	if count != 4 {
		log.Fatal(count, " objects are listed")
	}
	for failure := range client.RemoveObjects(ctx, "${bucket}", objects, minio.RemoveObjectsOptions{}) {
		log.Fatal(failure.Err)
	}
	check(client.RemoveBucket(ctx, "${bucket}"))
}
`;
