/** The parameters that make a request one of another operation. The first that is given decides. */
export const SUBRESOURCES = [
  ...["uploadId", "uploads", "delete", "attributes", "acl", "tagging", "versions", "versioning"],
  ...["location", "policy", "policyStatus", "lifecycle", "cors", "encryption", "object-lock"],
  ...["retention", "legal-hold", "logging", "notification", "replication", "requestPayment"],
  ...["website", "accelerate", "publicAccessBlock", "ownershipControls", "inventory", "metrics"],
  ...["analytics", "intelligent-tiering", "restore", "select", "torrent", "append", "renameObject"],
  ...["metadataTable", "metadataConfiguration", "session", "abac"],
];
