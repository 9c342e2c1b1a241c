import type { BinaryOperationNode, OperationNode, OrderByItemNode } from "kysely";
import {
  BinaryOperationNode as BinaryOperation,
  ColumnNode,
  OperatorNode,
  PostgresQueryCompiler,
  RawNode,
  ReferenceNode,
} from "kysely";

/** Characters of at most four bytes in UTF-8: an index entry of PostgreSQL has at most 2,700 bytes. */
export const KEY_PREFIX = 500;

/** How the prefixes of two keys compare if the keys compare so. */
const PREFIX_OPERATORS = new Map<string, "<=" | ">=">([
  ["<", "<="],
  ["<=", "<="],
  [">", ">="],
  [">=", ">="],
]);

/**
 * Folder keys may be too long for an index, so the index has their prefixes. A range of keys is
 * compiled to a range of prefixes in which the keys are compared, and an order by key to an order by
 * prefix and then by key. (Comparing the pairs as rows would be shorter, but the planner estimates
 * that as a third of all rows.)
 */
export class LongKeyCompiler extends PostgresQueryCompiler {
  protected override visitBinaryOperation(node: BinaryOperationNode): void {
    const { leftOperand: key, operator, rightOperand: value } = node;
    const ofHeads = OperatorNode.is(operator) ? PREFIX_OPERATORS.get(operator.operator) : undefined;
    if (ofHeads === undefined || !isKey(key)) {
      super.visitBinaryOperation(node);
      return;
    }
    this.append("(");
    super.visitBinaryOperation(
      BinaryOperation.create(prefixOf(key), OperatorNode.create(ofHeads), prefixOf(value)),
    );
    this.append(" and ");
    super.visitBinaryOperation(node);
    this.append(")");
  }

  protected override visitOrderByItem(node: OrderByItemNode): void {
    if (isKey(node.orderBy)) {
      super.visitOrderByItem({ ...node, orderBy: prefixOf(node.orderBy) });
      this.append(", ");
    }
    super.visitOrderByItem(node);
  }
}

const prefixOf = (key: OperationNode): RawNode =>
  RawNode.create(["left(", `, ${KEY_PREFIX})`], [key]);

/** The column `folders.key`, qualified. */
function isKey(node: OperationNode): boolean {
  return (
    ReferenceNode.is(node) &&
    node.table?.table.identifier.name === "folders" &&
    ColumnNode.is(node.column) &&
    node.column.column.name === "key"
  );
}
